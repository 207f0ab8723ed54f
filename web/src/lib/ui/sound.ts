/** Short sounds, made on the spot: no files. Silent where the browser has no audio or forbids it. */
import type { LegalMove } from '../api/types';

export type Sound =
  | 'move'
  | 'capture'
  | 'portal'
  | 'swap'
  | 'pocket'
  | 'drop'
  | 'check'
  | 'end'
  | 'ahead'
  | 'low'
  | 'refused';

interface Tone {
  /** Frequency at the beginning and the end, in hertz. */
  from: number;
  to: number;
  /** Begin and length, in seconds. */
  at: number;
  length: number;
  wave: OscillatorType;
  loud: number;
}

const tone = (from: number, to: number, at: number, length: number, wave: OscillatorType, loud: number): Tone => ({
  from,
  to,
  at,
  length,
  wave,
  loud,
});

const TONES: Record<Sound, Tone[]> = {
  move: [tone(330, 180, 0, 0.07, 'triangle', 0.5)],
  capture: [tone(240, 90, 0, 0.11, 'square', 0.22), tone(520, 200, 0, 0.05, 'triangle', 0.4)],
  portal: [tone(260, 880, 0, 0.14, 'sine', 0.4), tone(880, 520, 0.12, 0.14, 'sine', 0.35)],
  swap: [tone(300, 460, 0, 0.09, 'triangle', 0.4), tone(460, 300, 0.08, 0.09, 'triangle', 0.4)],
  pocket: [tone(420, 140, 0, 0.16, 'sine', 0.5)],
  drop: [tone(140, 380, 0, 0.09, 'sine', 0.45), tone(330, 180, 0.08, 0.06, 'triangle', 0.5)],
  check: [tone(740, 740, 0, 0.08, 'triangle', 0.4), tone(988, 988, 0.09, 0.12, 'triangle', 0.4)],
  end: [
    tone(392, 392, 0, 0.16, 'triangle', 0.4),
    tone(523, 523, 0.14, 0.16, 'triangle', 0.4),
    tone(659, 659, 0.28, 0.3, 'triangle', 0.4),
  ],
  ahead: [tone(520, 560, 0, 0.04, 'sine', 0.3)],
  low: [tone(880, 880, 0, 0.07, 'sine', 0.4), tone(880, 880, 0.12, 0.07, 'sine', 0.4)],
  refused: [tone(150, 120, 0, 0.1, 'sine', 0.4)],
};

/** The sound of a move that was made. What matters most is heard. */
export function soundOf(move: LegalMove, over: boolean): Sound {
  if (over) return 'end';
  if (move.check) return 'check';
  switch (move.kind) {
    case 'enter':
    case 'travel':
    case 'declare':
    case 'transfer':
    case 'shift':
    case 'place':
      return 'portal';
    case 'swap':
      return 'swap';
    case 'pocket':
      return 'pocket';
    case 'drop':
      return 'drop';
    default:
      return move.captures.length > 0 ? 'capture' : 'move';
  }
}

let context: AudioContext | null = null;

export function sound(name: Sound): void {
  if (typeof AudioContext === 'undefined') return;
  try {
    const audio = (context ??= new AudioContext());
    if (audio.state === 'running') {
      for (const one of TONES[name]) strike(audio, one);
      return;
    }
    // Browsers keep silent until the person has touched the page; a sound that comes late is none.
    const asked = performance.now();
    void audio.resume().then(
      () => {
        if (performance.now() - asked < 150) for (const one of TONES[name]) strike(audio, one);
      },
      () => undefined,
    );
  } catch {
    // No device, or too many contexts: the game goes on without.
  }
}

function strike(audio: AudioContext, { from, to, at, length, wave, loud }: Tone): void {
  const start = audio.currentTime + at;
  const end = start + length;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = wave;
  oscillator.frequency.setValueAtTime(from, start);
  oscillator.frequency.exponentialRampToValueAtTime(to, end);
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(loud * 0.35, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(end + 0.02);
}
