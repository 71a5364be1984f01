import { renderDocument } from './document';

interface Message {
  title: string;
  text: string;
  /** Links back to the invitation, after a response that could not be recorded. */
  goesBack?: boolean;
}

/** The page for an invitation that can't be shown, or a response that can't be recorded. */
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
