import Plus from 'lucide-react/icons/plus'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '#/ui/Button.tsx'
import type { LinkTarget } from '../links/link-target.ts'
import { PageLink } from '../links/PageLink.tsx'

interface HeadProps {
  title: string
  /** The `Learn about` popover. */
  docs?: ReactNode
  /** The object's state, beside the title. */
  state?: ReactNode
  /** Right-aligned buttons; the primary one last. */
  actions?: ReactNode
}

/** Title, help and actions of a page: 36 px high, one `h1`. */
export function PageHead({ title, docs, state, actions }: HeadProps) {
  return (
    <div className="mb-3 flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 md:mb-4">
      <h1 tabIndex={-1} className="min-w-0 text-xl tracking-[-0.005em] wrap-anywhere outline-none">
        {title}
      </h1>
      {docs}
      {state}
      {actions && <div className="ml-auto flex items-center gap-2">{actions}</div>}
    </div>
  )
}

export function ListPage({ children, ...head }: HeadProps & { children: ReactNode }) {
  return (
    <>
      <PageHead {...head} />
      {children}
    </>
  )
}

interface NewProps {
  link: LinkTarget
  children: ReactNode
  /** The reason shown beside the disabled button. */
  disabled?: string | undefined
  kind?: 'primary' | 'default'
}

/** The button that opens a create form. It is a link, so that it opens in a tab and preloads on intent. */
export function NewLink({ link, children, disabled, kind = 'primary' }: NewProps) {
  const content = (
    <>
      <Plus aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
      {children}
    </>
  )
  if (disabled) {
    return (
      <Button kind={kind} disabledReason={disabled}>
        {content}
      </Button>
    )
  }
  return (
    <PageLink {...link} over className={buttonClass({ kind })}>
      {content}
    </PageLink>
  )
}
