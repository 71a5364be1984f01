import { Modal } from '@heroui/react/modal';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { usePathname, useSearchParams } from 'next/navigation';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { CopyButton } from '@/app/_kit/copy-button';
import { readSetting, writeSetting } from '@/app/_kit/device-setting';
import { useDraftScope } from '@/app/_kit/draft-scope';
import { SheetBody, SheetHeader } from '@/app/_kit/overlay/sheet';
import { QueryResult } from '@/app/_kit/query-result';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import { type ApiDocument, type ApiOperation, operationsOf, selectOperations } from './api-document';
import { type CallInput, curlOf, typescriptOf } from './call-examples';
import { listFiltersOf } from './list-filters';
import { type PageCalls, pageCallsOf } from './page-calls';

const languages = { curl: 'curl', typescript: 'TypeScript' } as const;

type Language = keyof typeof languages;

const storageKey = 'frontdesk.api-language';

const rememberedLanguage = (): Language => (readSetting(storageKey) === 'typescript' ? 'typescript' : 'curl');

interface LanguageTabsProps {
  current: Language;
  onChange: (language: Language) => void;
  children: ReactNode;
}

/** Chooses the language of the examples. There are two, so every arrow key leads to the other one. */
function LanguageTabs({ current, onChange, children }: LanguageTabsProps) {
  const id = useId();
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    event.preventDefault();
    const isFirst = event.key === 'Home' || (event.key !== 'End' && current !== 'curl');
    const next = isFirst ? 'curl' : 'typescript';
    onChange(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label="Language" onKeyDown={walk} className="mb-4 flex gap-2 border-b border-border">
        {Object.entries(languages).map(([language, label]) => {
          const isCurrent = language === current;
          return (
            <button
              key={language}
              id={`${id}-${language}`}
              type="button"
              role="tab"
              aria-selected={isCurrent}
              aria-controls={isCurrent ? `${id}-panel` : undefined}
              tabIndex={isCurrent ? 0 : -1}
              onClick={() => onChange(language as Language)}
              className={`-mb-px flex h-9 items-center border-b-2 px-2 -outline-offset-2 max-sm:h-11 ${
                isCurrent ? 'border-accent font-medium text-foreground' : 'border-transparent text-muted hover:text-foreground'
              }`}
            >
              {label}
            </button>
          );
        })}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}

interface CallListProps {
  operations: readonly ApiOperation[];
  language: Language;
  /** The known values for an operation's example. */
  inputOf: (operationId: string) => CallInput;
}

/** Each call as a collapsible row; the first one is open. */
function CallList({ operations, language, inputOf }: CallListProps) {
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

/** The link to an operation in the API reference. */
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
                Open in API docs<span className="sr-only">: {summary}</span>
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

const documentPath = '/api/v1/openapi.json';

async function loadDocument(): Promise<ApiDocument> {
  const response = await fetch(documentPath);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return (await response.json()) as ApiDocument;
}

interface ApiDrawerProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** The REST calls behind the current page, with its record's ids and its list's filters filled in. */
export function ApiDrawer({ isOpen, onOpenChange }: ApiDrawerProps) {
  const close = () => onOpenChange(false);
  return (
    <Modal.Backdrop
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className="justify-end bg-black/15 dark:bg-black/45"
    >
      <Modal.Container
        size="full"
        placement="center"
        className="sm:w-[36rem] sm:flex-none sm:data-[entering=true]:slide-in-from-right-8 sm:data-[exiting=true]:slide-out-to-right-8"
      >
        <Modal.Dialog className="my-0 bg-surface p-0 max-sm:border-0 sm:border-l sm:border-border sm:shadow-overlay">
          <SheetHeader title="API calls for this page" onClose={close}>
            <p className="text-label text-muted">
              Set <code className="font-mono">FRONTDESK_API_KEY</code> to an{' '}
              <a href="/api-keys" className="text-accent-text hover:underline">
                API key of this business
              </a>
              .
            </p>
          </SheetHeader>
          <DrawerContent />
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

function DrawerContent() {
  const pathname = usePathname();
  const search = new URLSearchParams(useSearchParams());
  const [language, setLanguage] = useState(rememberedLanguage);
  const document = useQuery({ queryKey: ['openapi'], queryFn: loadDocument, staleTime: Number.POSITIVE_INFINITY });
  const calls = pageCallsOf(pathname, search);
  const choose = (next: Language) => {
    setLanguage(next);
    writeSetting(storageKey, next);
  };
  return (
    <SheetBody>
      <QueryResult query={document} failure="Couldn’t load the API document" loading="Loading the API document" shape="rows">
        {(api) =>
          calls && (
            <LanguageTabs current={language} onChange={choose}>
              <PageCallList document={api} calls={calls} language={language} />
            </LanguageTabs>
          )
        }
      </QueryResult>
    </SheetBody>
  );
}

interface PageCallListProps {
  document: ApiDocument;
  calls: PageCalls;
  language: Language;
}

function PageCallList({ document, calls, language }: PageCallListProps) {
  const pathname = usePathname();
  const search = new URLSearchParams(useSearchParams());
  const locale = useViewerLocale();
  const [now] = useState(() => Date.now());
  const userId = useDraftScope()?.userId ?? '';
  const isPhone = window.matchMedia('(width < 40rem)').matches;
  const filters = listFiltersOf(pathname, search, { locale, isPhone, userId });
  const apiUrl = new URL(document.servers?.[0]?.url ?? '/api/v1', window.location.origin).href;
  const input = {
    apiUrl,
    origin: new URL(apiUrl).origin,
    components: document.components?.schemas ?? {},
    ids: calls.ids,
    now,
  };
  const operations = selectOperations(operationsOf(document), calls.selection);
  return (
    <CallList
      key={pathname}
      operations={operations}
      language={language}
      inputOf={(id) => ({ ...input, filters: filters[id] ?? {} })}
    />
  );
}
