import ExternalLink from 'lucide-react/icons/external-link'
import { buttonClass } from '#/ui/Button.tsx'
import { rememberProvider } from './last-provider.ts'
import { samlPath } from './ways-in.ts'

interface Props {
  silo: string
  provider: string
  /** Where to return to; the server's default if absent. */
  returnTo?: string | undefined
  kind?: 'primary' | 'default'
  /** Keeps the current page open. */
  inNewTab?: boolean
}

/** Opens an identity provider through the server. A link, because the browser leaves the page. */
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
