// The script of the page that tests open in a browser: a seat is played in it, as any page would.
import { createClient, type Invitation } from "../../src/index.ts";
import { playSeat, type Report } from "./player.ts";

declare global {
  interface Window {
    play: (baseUrl: string, invitation: Invitation, silence: number) => Promise<Report>;
  }
}

window.play = (baseUrl, invitation, silence) => playSeat(createClient({ baseUrl }), invitation, silence);
