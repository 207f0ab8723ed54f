import type { onlineEn } from './en';

export type OnlineMessages = Record<keyof typeof onlineEn, string>;
