'use client';

import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { CopyButton } from '@/app/_kit/copy-button';
import type { ApiOperation } from './api-document';
import { type CallInput, curlOf, typescriptOf } from './call-examples';
import type { Language } from './language-tabs';

interface CallListProps {
  operations: readonly ApiOperation[];
  language: Language;
  /** What is known for an operation's example. */
  inputOf: (operationId: string) => CallInput;
}

/** Each call as a line that opens; the first one is open. */
export function CallList({ operations, language, inputOf }: CallListProps) {
  const [openId, setOpenId] = useState<string | null>(operations[0]?.id ?? null);
  return (
    <ul className="rounded-lg border border-border">
      {operations.map((operation) => (
        <CallItem
          key={operation.id}
          operation={operation}
          code={(language === 'curl' ? curlOf : typescriptOf)(operation, inputOf(operation.id))}
          isOpen={operation.id === openId}
          onToggle={() => setOpenId(operation.id === openId ? null : operation.id)}
        />
      ))}
    </ul>
  );
}

/** The address of an operation in the reference. */
function referenceHref({ tag, method, path }: ApiOperation): string {
  return `/docs#tag/${tag.toLowerCase()}/${method}${path}`;
}

const methodTones: Readonly<Record<string, string>> = {
  GET: 'text-info-text',
  POST: 'text-success-text',
  PATCH: 'text-warning-text',
  DELETE: 'text-danger-text',
};

interface CallItemProps {
  operation: ApiOperation;
  code: string;
  isOpen: boolean;
  onToggle: () => void;
}

function CallItem({ operation, code, isOpen, onToggle }: CallItemProps) {
  const id = useId();
  const { method, path, summary } = operation;
  return (
    <li className="border-b border-separator last:border-b-0">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
          className="flex w-full items-start gap-2 rounded-md px-3 py-2.5 text-left -outline-offset-2 hover:bg-surface-hover"
        >
          <ChevronRight aria-hidden className={`mt-0.5 size-4 shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`} />
          <span className="min-w-0 flex-1">
            <span className="block font-medium">{summary}</span>
            <span className="block font-mono text-xs wrap-anywhere text-muted">
              <span className={`font-medium ${methodTones[method] ?? ''}`}>{method}</span> {path}
            </span>
          </span>
        </button>
      </h3>
      {isOpen && (
        <section id={id} aria-label={summary} className="px-3 pb-3">
          <div className="rounded-md border border-border bg-background-secondary">
            <div className="flex items-center justify-between gap-2 border-b border-separator py-0.5 pr-0.5 pl-3">
              <a
                href={referenceHref(operation)}
                className="inline-flex min-h-6 items-center text-label text-accent-text hover:underline"
              >
                In the API reference<span className="sr-only">: {summary}</span>
              </a>
              <CopyButton value={code} label={`Copy: ${summary}`} size="sm" />
            </div>
            <pre className="p-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
              <code>{code}</code>
            </pre>
          </div>
        </section>
      )}
    </li>
  );
}
