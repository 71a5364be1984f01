import { htmlToText } from '../mail/html-text';
import { mailPage } from '../mail/html-view';
import { maximumSource } from '../markdown/limits';
import { plainRendering } from '../markdown/plain-rendering';
import { renderMarkdown } from '../markdown/render-markdown';
import type { RenderedMarkdown } from '../markdown/rendered-markdown';

/* What a thread of the pool runs, by name. It loads nothing else of the server: it needs no settings and shall have no secrets. */

export async function markdown({ markdown, language }: { markdown: string; language: string }): Promise<RenderedMarkdown> {
  return markdown.length > maximumSource ? plainRendering(markdown) : renderMarkdown(markdown, language);
}

/** The options of `mailPage` as one thread can send them to another. */
export interface MailPageTask {
  html: string;
  remoteImages: boolean;
  /** By Content-ID, without angle brackets. */
  imageUrls: ReadonlyMap<string, string>;
}

export function page({ imageUrls, ...options }: MailPageTask): { page: string } {
  const { page: html } = mailPage({ ...options, imageUrlOf: (contentId) => imageUrls.get(contentId) ?? null });
  return { page: html };
}

export const text = htmlToText;
