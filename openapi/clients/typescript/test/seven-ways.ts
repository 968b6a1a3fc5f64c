// Asks the questions of tests/programs/seven_ways: they come on standard input, and their answers go to standard output.
import { ask, createClient, isProblem, type Question, type QuestionName } from "../src/index.ts";
import { readTask } from "./support/task.ts";

interface Task {
  readonly url: string;
  readonly questions: readonly { readonly name: QuestionName; readonly body: Question<QuestionName> }[];
}

const { url, questions } = await readTask<Task>();
const client = createClient({ baseUrl: url });
const answers: { status: number; answer: unknown }[] = [];
for (const { name, body } of questions) {
  try {
    answers.push({ status: 200, answer: await ask(client, name, body) });
  } catch (error) {
    if (!isProblem(error)) throw error;
    answers.push({ status: error.problem.status, answer: error.problem });
  }
}
process.stdout.write(JSON.stringify(answers));
