import { buttonLook } from '@/app/_kit/button-look';

interface SingleSignOnButtonProps {
  provider: string;
  destination: string;
  isPrimary: boolean;
}

/** Leads to the provider, which leads back. */
export function SingleSignOnButton({ provider, destination, isPrimary }: SingleSignOnButtonProps) {
  const query = destination === '/' ? '' : `?${new URLSearchParams({ callbackUrl: destination })}`;
  return (
    <>
      {/* Not a Link: the page is the provider's. */}
      <a
        href={`/api/auth/oidc/start${query}`}
        className={buttonLook({ variant: isPrimary ? 'primary' : 'secondary', size: 'md' })}
      >
        Continue with single sign-on
      </a>
      <p className="-mt-2 text-label break-words text-muted">At {provider}</p>
    </>
  );
}
