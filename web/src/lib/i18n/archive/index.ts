import type { archiveEn } from './en';

export type ArchiveMessages = Record<keyof typeof archiveEn, string>;
