import type { Page } from '@playwright/test';

/** The parts of the inbox that several specs look at. */

export const rows = (page: Page) => page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
export const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
export const subject = (page: Page) => page.getByRole('heading', { level: 1 });
export const messages = (page: Page) => page.getByRole('list', { name: 'Messages' }).getByRole('article');
