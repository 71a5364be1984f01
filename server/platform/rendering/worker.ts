import { htmlToText } from '../html/html-text';
import { mailPage } from '../html/html-view';
import { maximumSource } from '../markdown/limits';
import { renderMailMarkdown } from '../markdown/mail-markdown';
import { plainRendering } from '../markdown/plain-rendering';
import { renderMarkdown } from '../markdown/render-markdown';
import type { RenderedMarkdown } from '../markdown/rendered-markdown';

/*
 * The tasks of the pool's threads, by name. Imports nothing else of the server: threads need no settings and must not have
 * secrets.
 */

export async function markdown({ markdown, language }: { markdown: string; language: string }): Promise<RenderedMarkdown> {
  return markdown.length > maximumSource ? plainRendering(markdown) : renderMarkdown(markdown, language);
}

/** The options of `mailPage` in a form that can be sent between threads. */
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

export const text = (html: string) => htmlToText(html);

export const mailMarkdown = renderMailMarkdown;
