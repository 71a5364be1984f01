'use client';

import { Modal } from '@heroui/react/modal';
import { useQuery } from '@tanstack/react-query';
import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { ErrorState } from '@/app/_kit/error-state';
import { SheetBody, SheetHeader } from '@/app/_kit/overlay/sheet';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import { type ApiDocument, operationsOf, selectOperations } from './api-document';
import { CallList } from './call-list';
import { type Language, LanguageTabs, rememberedLanguage, rememberLanguage } from './language-tabs';
import { listFiltersOf } from './list-filters';
import { type PageCalls, pageCallsOf } from './page-calls';

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

/** The REST calls behind the page at hand, about this very record and with the filters of this very list. */
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
          <SheetHeader title="API calls behind this page" onClose={close}>
            <p className="text-label text-muted">
              They need a{' '}
              <a href="/api-keys" className="text-accent-text hover:underline">
                key of this business
              </a>{' '}
              in <code className="font-mono">FRONTDESK_API_KEY</code>.
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
    rememberLanguage(next);
  };
  return (
    <SheetBody>
      {document.isPending && <SkeletonLines lines={6} label="Loading the API document" />}
      {document.isError && !document.data && (
        <ErrorState error={document.error} title="The API document could not be loaded" onRetry={() => void document.refetch()} />
      )}
      {document.data && calls && (
        <LanguageTabs current={language} onChange={choose}>
          <PageCallList document={document.data} calls={calls} language={language} />
        </LanguageTabs>
      )}
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
  const filters = listFiltersOf(pathname, search, { locale, isPhone: window.matchMedia('(width < 40rem)').matches });
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
