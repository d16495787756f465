import ExternalLink from 'lucide-react/icons/external-link'
import { buttonClass } from '#/ui/Button.tsx'
import { rememberProvider } from './last-provider.ts'
import { samlPath } from './ways-in.ts'

interface Props {
  silo: string
  provider: string
  /** Where to go on; the server's own choice where absent. */
  returnTo?: string | undefined
  kind?: 'primary' | 'default'
  /** Keeps the page that this stands on. */
  inNewTab?: boolean
}

/** Leads to an identity provider by way of the server: a link, because the page itself goes there. */
export function SamlLink({ silo, provider, returnTo, kind = 'default', inNewTab }: Props) {
  return (
    <a
      href={samlPath(silo, provider, returnTo)}
      onClick={() => rememberProvider(silo, provider)}
      className={buttonClass({ kind, size: 'lg', block: true })}
      {...(inNewTab && { target: '_blank', rel: 'noreferrer' })}
    >
      Sign in with {provider}
      {inNewTab && (
        <>
          <ExternalLink aria-hidden strokeWidth={1.75} className="size-4" />
          <span className="sr-only"> (opens in a new tab)</span>
        </>
      )}
    </a>
  )
}
