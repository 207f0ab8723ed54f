/** What is looked for in the archive: as the form has it, and as addresses write it. Pure. */

export interface Filter {
  player: string;
  opponent: string;
  color: '' | 'white' | 'black';
  variant: string;
  result: '' | 'white' | 'black' | 'draw' | 'win' | 'loss';
  rated: '' | 'true' | 'false';
  source: '' | 'played' | 'import';
  analysed: boolean;
  /** Days, as 2026-11-30. */
  since: string;
  until: string;
  /** The first moves, in UCI. */
  line: string[];
  sort: '' | 'dateAsc';
}

const TEXTS = ['player', 'opponent', 'variant', 'since', 'until'] as const;
const CHOICES = {
  color: ['white', 'black'],
  result: ['white', 'black', 'draw', 'win', 'loss'],
  rated: ['true', 'false'],
  source: ['played', 'import'],
  sort: ['dateAsc'],
} as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function emptyFilter(): Filter {
  return {
    player: '',
    opponent: '',
    color: '',
    variant: '',
    result: '',
    rated: '',
    source: '',
    analysed: false,
    since: '',
    until: '',
    line: [],
    sort: '',
  };
}

/** From the address of the page. What makes no sense is left out. */
export function readFilter(search: string): Filter {
  const params = new URLSearchParams(search);
  const filter = emptyFilter();
  for (const key of TEXTS) filter[key] = (params.get(key) ?? '').trim();
  for (const key of Object.keys(CHOICES) as (keyof typeof CHOICES)[]) {
    const value = params.get(key) ?? '';
    if ((CHOICES[key] as readonly string[]).includes(value)) Object.assign(filter, { [key]: value });
  }
  filter.analysed = params.get('analysed') === 'true';
  filter.line = (params.get('line') ?? '').split(/[\s,]+/).filter(Boolean);
  return tidy(filter);
}

/** Without what depends on something that is not asked for. */
export function tidy(filter: Filter): Filter {
  const tidied = { ...filter };
  if (tidied.player === '') {
    tidied.opponent = '';
    tidied.color = '';
    if (tidied.result === 'win' || tidied.result === 'loss') tidied.result = '';
  }
  if (tidied.variant === '') tidied.line = [];
  for (const day of ['since', 'until'] as const) if (!DAY.test(tidied[day])) tidied[day] = '';
  return tidied;
}

/** For the page's own address. */
export function writeFilter(filter: Filter): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(tidy(filter)) as [string, string | boolean | string[]][]) {
    if (Array.isArray(value)) {
      if (value.length > 0) params.set(key, value.join(','));
    } else if (value !== '' && value !== false) {
      params.set(key, String(value));
    }
  }
  return params;
}

/** For the server: days become times, both ends included, in the time zone of whoever asks. */
export function toQuery(filter: Filter): URLSearchParams {
  const query = writeFilter(filter);
  const { since, until } = tidy(filter);
  if (since) query.set('since', String(new Date(`${since}T00:00:00`).getTime()));
  if (until) {
    const next = new Date(`${until}T00:00:00`);
    next.setDate(next.getDate() + 1);
    query.set('until', String(next.getTime()));
  }
  return query;
}

/** A page of what is found: the first, or the one after a cursor. */
export function pageOf(query: URLSearchParams, cursor: string | null): URLSearchParams {
  const page = new URLSearchParams(query);
  if (cursor !== null) page.set('cursor', cursor);
  return page;
}
