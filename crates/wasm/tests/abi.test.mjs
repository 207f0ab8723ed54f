// The module's own promises: what it exports, and that nothing thrown at it breaks it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, load } from './rules.mjs';

test('the module imports nothing and exports its memory and four functions', async () => {
  const module = await WebAssembly.compile(bytes);
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  for (const name of ['memory', 'alloc', 'dealloc', 'call', 'panic_message']) assert.ok(names.includes(name), name);
});

test('what is no request is answered with an error in JSON', async () => {
  const { raw } = await load();
  const text = new TextEncoder();
  const requests = [
    [],
    [0xff, 0xfe],
    text.encode('{'),
    text.encode('null'),
    text.encode('{"op":"nothing"}'),
    text.encode('{"op":"view"}'),
    text.encode('{"op":"view","variant":7}'),
    text.encode('['.repeat(100_000)),
    text.encode(`{"op":"${'x'.repeat(10_000_000)}"}`),
    text.encode(`{"op":"view","variant":"${'x'.repeat(10_000_000)}"}`),
    text.encode(`{"op":"view","variant":"chess","fen":"${'x'.repeat(10_000_000)}"}`),
    text.encode(`{"op":"view","variant":"chess","moves":["${'x'.repeat(10_000_000)}"]}`),
  ];
  for (const request of requests) {
    const reply = JSON.parse(raw(Uint8Array.from(request)));
    assert.equal(typeof reply.error.message, 'string');
    assert.equal(typeof reply.error.field, 'string');
    assert.ok(reply.error.message.length < 500, reply.error.message.slice(0, 500));
  }
});

test('memory that is given back is used again', async () => {
  const { ok, memory } = await load();
  const play = () => ok({ op: 'view', variant: 'chess', moves: ['e2e4', 'e7e5', 'g1f3'] });
  for (let i = 0; i < 20; i += 1) play();
  const before = memory.buffer.byteLength;
  for (let i = 0; i < 500; i += 1) play();
  assert.equal(memory.buffer.byteLength, before);
});
