/** A soft tone, for who wishes to hear that it is their turn. */

let audio: AudioContext | undefined;

/** Gets ready to sound, in a click: before one, browsers keep silent. Where Web Audio is missing, all is silent. */
export function tune(): void {
  if ("AudioContext" in globalThis) audio ??= new AudioContext();
}

/** Sounds, if a click has made it ready. */
export function ring(): void {
  if (audio === undefined) return;
  const [tone, volume, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.frequency.value = 523;
  volume.gain.setValueAtTime(0, now);
  volume.gain.linearRampToValueAtTime(0.1, now + 0.03);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.6);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(now + 0.6);
}
