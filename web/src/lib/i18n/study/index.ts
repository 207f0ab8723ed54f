import type { studyEn } from './en';

export type StudyMessages = Record<keyof typeof studyEn, string>;
