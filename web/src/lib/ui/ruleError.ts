/** What the rules refused, in the language of the page. */
import { RulesError } from '../api/types';

export function ruleError(error: unknown): string | null {
  if (error === null || error === undefined) return null;
  if (error instanceof RulesError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
