import Info from 'lucide-react/icons/info'
import OctagonX from 'lucide-react/icons/octagon-x'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'

import { classes } from '../classes.ts'
import { CopyButton } from '../CopyButton.tsx'

type NoteKind = 'note' | 'busy' | 'fail'

const looks = {
  note: { Icon: Info, box: 'border-line bg-sunken text-text', icon: 'text-muted' },
  busy: { Icon: TriangleAlert, box: 'border-busy-edge bg-busy-tint text-strong', icon: 'text-busy-fill' },
  fail: { Icon: OctagonX, box: 'border-fail-edge bg-fail-tint text-strong', icon: 'text-fail-fill' },
}

type Props = {
  kind?: NoteKind
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  className?: string
}

/** Information (note), a warning (busy), or a failure (fail, announced at once). */
export function Note({ kind = 'note', title, children, action, className }: Props) {
  const { Icon, box, icon } = looks[kind]
  return (
    <div
      role={kind === 'fail' ? 'alert' : undefined}
      className={classes('flex gap-2.5 rounded-control border px-3 py-2.5 text-sm', box, className)}
    >
      <Icon aria-hidden className={classes('mt-0.5 size-4 shrink-0', icon)} />
      <div className="min-w-0 grow wrap-anywhere">
        {title && <strong className="block">{title}</strong>}
        {children}
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  )
}

type ErrorProps = {
  /** One is shown plainly, several as a list with their count. */
  errors: readonly string[]
  title?: ReactNode
  requestId?: string
  action?: ReactNode
  className?: string
}

export function ErrorNote({ errors, title, requestId, action, className }: ErrorProps) {
  const several = errors.length > 1
  return (
    <Note kind="fail" title={title ?? (several ? 'Errors' : 'Error')} action={action} className={className}>
      {several ? (
        <>
          <p>{errors.length} issues:</p>
          <ul className="list-disc pl-5">
            {errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>{errors[0]}</p>
      )}
      {requestId && (
        <p className="flex items-center gap-1 text-muted">
          <span className="shrink-0">Request</span>
          <span className="font-mono text-[0.75rem]">{requestId}</span>
          <CopyButton text={requestId} className="-my-1" />
        </p>
      )}
    </Note>
  )
}
