/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WasmRules } from '../../src/lib/api/rules';
import { LANGUAGES } from '../../src/lib/i18n/messages';
import { parseDone, reaches, writeDone, type Course } from '../../src/lib/study/lessons';
import { LessonRun } from '../../src/lib/study/lesson.svelte';
import { realRules } from './wasm';

const FOLDER = new URL('../../src/lib/lessons/', import.meta.url);
const courses = readdirSync(FOLDER).map((file) => ({
  variant: file.replace('.json', ''),
  course: JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Course,
}));

let rules: WasmRules;
beforeAll(async () => {
  rules = await realRules();
});

describe('every game', () => {
  it('has a course, and every course a game', () => {
    expect(courses.map((c) => c.variant).sort()).toEqual(rules.variants().map((v) => v.id).sort());
  });
});

for (const { variant, course } of courses) {
  describe(variant, () => {
    it('names its sources and has its words in every language', () => {
      expect(course.sources.length).toBeGreaterThan(0);
      expect(course.lessons.length).toBeGreaterThanOrEqual(6);
      const texts = [...course.rulings, ...course.lessons.flatMap((l) => [l.title, l.rule, l.task])];
      for (const text of texts) {
        expect(Object.keys(text).sort()).toEqual(LANGUAGES.map((l) => l.id).sort());
        for (const words of Object.values(text)) expect(words.trim()).not.toBe('');
      }
      expect(new Set(course.lessons.map((l) => l.id)).size).toBe(course.lessons.length);
    });

    for (const lesson of course.lessons) {
      it(`${lesson.id}: the solution is legal and reaches the goal, and not every move does`, () => {
        const moves: string[] = [];
        lesson.steps.forEach((step, i) => {
          const view = rules.view({ variant, fen: lesson.fen, moves });
          const look = (uci: string) => rules.view({ variant, fen: lesson.fen, moves: [...moves, uci] });
          const good = view.legal.filter((m) => reaches(step.goal, m, look(m.uci)));
          expect(good.map((m) => m.uci), `step ${i + 1}`).toContain(step.solution);
          // Where all that is legal is the rule itself, or completes what came before, nothing is wrong.
          const free = i === 0 && view.legal.length > 1 && view.legal.some((m) => m.kind !== step.goal.kind);
          if (free) expect(good.length, 'wrong moves are refused').toBeLessThan(view.legal.length);
          const after = look(step.solution);
          moves.push(step.solution);
          if (i + 1 < lesson.steps.length) {
            expect(after.legal.map((m) => m.uci), 'the answer').toContain(step.reply);
            moves.push(step.reply ?? '');
          } else {
            expect(step.reply).toBeUndefined();
          }
        });
      });

      it(`${lesson.id}: is run from end to end, a wrong try goes back`, async () => {
        const info = rules.variants().find((v) => v.id === variant);
        if (!info) throw new Error(variant);
        let done = 0;
        const run = new LessonRun(rules, info, lesson, () => done++, 0);
        const settle = () => new Promise((ready) => setTimeout(ready, 2));
        const first = lesson.steps[0];
        const wrong = run.legal.find(
          (m) => first && !reaches(first.goal, m, rules.view({ variant, fen: lesson.fen, moves: [m.uci] })),
        );
        if (wrong) {
          run.play(wrong);
          expect(run.verdict).toBe('wrong');
          expect(run.legal).toEqual([]);
          await settle();
          expect(run.view.fen).toBe(rules.view({ variant, fen: lesson.fen, moves: [] }).fen);
          expect(run.step).toBe(0);
        }
        for (const step of lesson.steps) {
          const move = run.legal.find((m) => m.uci === step.solution);
          if (!move) throw new Error(`${step.solution} is not offered`);
          run.play(move);
          await settle();
        }
        expect(run.verdict).toBe('done');
        expect(done).toBe(1);
        run.reset();
        run.showSolution();
        await settle();
        expect(done, 'a solution that was shown does not count').toBe(1);
        run.close();
      });
    }
  });
}

describe('what has been done', () => {
  it('is kept as a list', () => {
    expect(parseDone(null).size).toBe(0);
    expect(writeDone(parseDone('a,b,a'))).toBe('a,b');
  });
});
