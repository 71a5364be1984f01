import type { PostValues } from './post-values';

/** What the drawer edits. A select has no value for "none" but the empty one, so the agent is '' where there is none. */
export interface DetailsValues extends Omit<PostValues, 'title' | 'content' | 'authorAgentId'> {
  authorAgentId: string;
}

export function toDetails(values: PostValues): DetailsValues {
  const { title: _title, content: _content, authorAgentId, ...rest } = values;
  return { ...rest, authorAgentId: authorAgentId ?? '' };
}

export function fromDetails({ authorAgentId, ...rest }: DetailsValues): Omit<PostValues, 'title' | 'content'> {
  return { ...rest, authorAgentId: authorAgentId === '' ? null : authorAgentId };
}
