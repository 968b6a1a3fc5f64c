import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.LiveGamesApi;
import org.openapitools.client.model.*;

/** Reads every example answer and, if there is a service, plays a card: Play ANSWERS [URL]. */
class Play {
    public static void main(String[] words) throws Exception {
        List<String> answers = Files.readAllLines(Path.of(words[0]));
        for (String line : answers) {
            String[] parts = line.split("\t", 2);
            Class<?> kind = Class.forName("org.openapitools.client.model." + parts[0]);
            if (ApiClient.createDefaultObjectMapper().readValue(parts[1], kind) == null) throw new AssertionError(line);
        }
        System.out.println(answers.size() + " answers read");
        if (words.length > 1) play(words[1]);
    }

    private static void play(String url) throws ApiException {
        ApiClient client = new ApiClient();
        client.updateBaseUri(url);
        LiveGamesApi games = new LiveGamesApi(client);
        GameSetup setup = new GameSetup().rules(new Rules(PrintedRulesetId.GAMERULES)).players(2).firstDealer(1);
        OpenedGame opened = games.openGame(setup, null);
        String game = opened.getId(), first = bearer(opened, 0), second = bearer(opened, 1);
        GameChange dealt = games.dealNext(game, quoted(opened.getVersion()), new DealSetup(), token(second));
        Card card = games.getGame(game, token(first)).getPosition().getLegalCards().get(0);
        NewPlay play = new NewPlay().card(card);
        GameChange played = games.playCard(game, quoted(dealt.getVersion()), play, token(first));
        if (!played.getPosition().getState().getTrick().equals(List.of(card))) throw new AssertionError(played);
        try {
            games.playCard(game, quoted(opened.getVersion()), play, token(first));
            throw new AssertionError("a stale version is taken");
        } catch (ApiException refused) {
            if (!refused.getResponseBody().contains("stale_version")) throw refused;
        }
    }

    private static String bearer(OpenedGame game, int seat) {
        return "Bearer " + game.getSeats().get(seat).getToken();
    }

    private static Map<String, String> token(String bearer) {
        return Map.of("Authorization", bearer);
    }

    private static String quoted(String version) {
        return '"' + version + '"';
    }
}
