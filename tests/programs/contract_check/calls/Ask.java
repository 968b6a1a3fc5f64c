import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** Asks a question by POST and by QUERY with the client of the JDK as it comes, which offers HTTP/2 with each request. */
class Ask {
    private static final String QUESTION =
        "{\"trick\": {\"trump\": \"H\", \"leader\": 0, \"players\": 4, \"cards\": [\"AS\", \"TH\", \"6S\", \"JH\"]}}";

    public static void main(String[] words) throws Exception {
        var client = HttpClient.newHttpClient();
        var question = HttpRequest.newBuilder(URI.create(words[0] + "/v1/trick-winners"))
            .header("Content-Type", "application/json");
        for (String method : new String[] {"POST", "QUERY", "POST"}) {
            var request = question.method(method, BodyPublishers.ofString(QUESTION)).build();
            var answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200 || !answer.body().contains("\"seat\":3"))
                throw new AssertionError(method + " is answered with " + answer.statusCode() + ": " + answer.body());
        }
    }
}
