import type { refusedEn } from './en';

export type RefusedMessages = Record<keyof typeof refusedEn, string>;
