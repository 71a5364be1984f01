import { useState } from 'react';
import { Segments } from '@/app/_kit/segments';
import { CodeBlock } from '../../_components/code-block';
import { GuideLink } from '../../_components/guide-link';
import { pythonReceiver, typescriptReceiver } from './receivers';

const languages = [
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
] as const;

type Language = (typeof languages)[number]['value'];

/** A program that receives the webhook and checks its signature, to copy. */
export function ReceiverCode() {
  const [language, setLanguage] = useState<Language>('typescript');
  return (
    <div className="min-w-0">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <p className="text-label text-muted">Set WEBHOOK_SECRET to the signing secret.</p>
        <Segments
          label="Language"
          size="sm"
          segments={languages}
          value={language}
          onChange={(chosen) => setLanguage(chosen ?? 'typescript')}
        />
      </div>
      {language === 'typescript' ? (
        <CodeBlock title="receiver.ts" code={typescriptReceiver} copyLabel="Copy TypeScript receiver" />
      ) : (
        <CodeBlock title="receiver.py" code={pythonReceiver} copyLabel="Copy Python receiver" />
      )}
      <GuideLink />
    </div>
  );
}
