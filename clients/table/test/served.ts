import { after, before } from "node:test";
import { type Client, createClient, type Ruleset, unwrap } from "catch-the-ten";
import { Service } from "../../typescript/test/support/service.ts";

/** A service that lives as long as the tests of a file, with its rulesets. */
export class Served {
  client!: Client;
  rulesets: readonly Ruleset[] = [];

  constructor() {
    let service: Service;
    before(async () => {
      service = await Service.start();
      this.client = createClient({ baseUrl: service.baseUrl });
      ({ rulesets: this.rulesets } = await unwrap(this.client.GET("/v1/rulesets")));
    });
    after(() => service[Symbol.asyncDispose]());
  }
}
