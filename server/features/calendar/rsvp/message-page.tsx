import { renderDocument } from './document';

interface Message {
  title: string;
  text: string;
  /** Leads back to the invitation, from an answer that could not be taken. */
  goesBack?: boolean;
}

/** What stands in the place of an invitation that can't be shown, or of an answer that can't be taken. */
export function renderMessage({ title, text, goesBack = false }: Message): string {
  return renderDocument({
    title,
    businessName: '',
    children: (
      <div className="card message">
        <h1>{title}</h1>
        <p>{text}</p>
        {goesBack && (
          <p>
            <a href="?">Back to the invitation</a>
          </p>
        )}
      </div>
    ),
  });
}
