/** The engine in a worker. Cancelling terminates the worker; the next search starts a new one. */
import engineUrl from '../../../wasm/engine.wasm?url';
import type { FromWorker, ToWorker } from './engine.worker';
import type { AnalyseRequest, Analysis, AnalystApi } from './study';
import {
  RulesError,
  SearchCancelled,
  type EngineApi,
  type SearchRequest,
  type SearchResult,
} from './types';
import { moduleOnce } from './wasm';

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Fetched when somebody plays or analyses; the rules come without it. */
const engineModule = moduleOnce(engineUrl);

export class WorkerEngine implements EngineApi, AnalystApi {
  #worker: Worker | null = null;
  #pending = new Map<number, Pending>();
  #nextId = 1;
  /** Counts cancels, so that a search that still waits for the module sees that it was cancelled. */
  #epoch = 0;

  async search(request: SearchRequest): Promise<SearchResult> {
    return (await this.#ask({ op: 'search', ...request })) as SearchResult;
  }

  async analyse(request: AnalyseRequest): Promise<Analysis> {
    return (await this.#ask({ op: 'analyse', ...request })) as Analysis;
  }

  cancel(): void {
    this.#epoch++;
    this.#stop(new SearchCancelled());
  }

  interrupt(): void {
    this.#epoch++;
    if (this.#pending.size > 0) this.#stop(new SearchCancelled());
  }

  async #ask(request: object): Promise<unknown> {
    const epoch = this.#epoch;
    const module = await engineModule();
    if (epoch !== this.#epoch) throw new SearchCancelled();
    const worker = (this.#worker ??= this.#start(module));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      worker.postMessage({ type: 'ask', id, request } satisfies ToWorker);
    });
  }

  #start(module: WebAssembly.Module): Worker {
    const worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.#receive(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#stop(new Error(event.message || 'the engine stopped'));
    };
    worker.onmessageerror = () => this.#stop(new Error('the engine sent something unreadable'));
    worker.postMessage({ type: 'init', module } satisfies ToWorker);
    return worker;
  }

  #receive(message: FromWorker): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.type === 'result') {
      pending?.resolve(message.result);
      return;
    }
    pending?.reject(new RulesError(message.message, message.field));
    if (message.fatal) this.#stop(new Error(message.message));
  }

  #stop(reason: Error): void {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of waiting) pending.reject(reason);
  }
}
