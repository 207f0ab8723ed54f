/** The engine's thread: an own instance of the rules with the engine, one request at a time. */
import { RulesError } from './types';
import { RulesModule } from './wasm';

export type ToWorker =
  | { type: 'init'; module: WebAssembly.Module }
  | { type: 'ask'; id: number; request: object };

export type FromWorker =
  | { type: 'result'; id: number; result: unknown }
  | { type: 'failed'; id: number; message: string; field: string | null; fatal: boolean };

let rules: Promise<RulesModule> | null = null;

self.onmessage = async (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.type === 'init') {
    rules = RulesModule.instantiate(message.module);
    return;
  }
  const { id, request } = message;
  try {
    if (!rules) throw new Error('the engine was not initialised');
    const result = (await rules).call(request);
    post({ type: 'result', id, result });
  } catch (error) {
    const refused = error instanceof RulesError;
    const text = error instanceof Error ? error.message : String(error);
    post({ type: 'failed', id, message: text, field: refused ? error.field : null, fatal: !refused });
  }
};

function post(message: FromWorker): void {
  self.postMessage(message);
}
