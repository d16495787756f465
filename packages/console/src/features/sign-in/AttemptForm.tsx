import type { ReactNode } from 'react'
import { Button } from '#/ui/Button.tsx'
import { classes } from '#/ui/classes.ts'
import { useSecondsUntil } from '#/ui/use-second.ts'
import type { FailedAttempt } from './attempt.ts'

interface Props {
  className?: string
  submitLabel: string
  pendingLabel: string
  isPending: boolean
  /** Nothing can be sent yet. The wait after too many attempts disables the button as well. */
  disabled?: boolean
  failed: FailedAttempt | undefined
  problemText: (failed: FailedAttempt) => string
  onSubmit: () => void
  /** Another button, below that of the attempt. */
  beside?: ReactNode
  children: ReactNode
}

/** A short form for rate-limited attempts: fields, a wide button, the failure and the time of the next attempt. */
export function AttemptForm(props: Props) {
  const { className, submitLabel, pendingLabel, isPending, disabled, failed, problemText, onSubmit } = props
  const mustWait = useSecondsUntil(failed?.retryAt) > 0
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // A dialog renders this inside another form's React tree.
        event.stopPropagation()
        onSubmit()
      }}
      className={classes('space-y-4', className)}
    >
      {props.children}
      <Button
        block
        size="lg"
        kind="primary"
        type="submit"
        pending={isPending}
        pendingLabel={pendingLabel}
        disabled={disabled || mustWait}
      >
        {submitLabel}
      </Button>
      {props.beside}
      <AttemptNote text={failed && problemText(failed)} retryAt={failed?.retryAt} />
    </form>
  )
}

interface AttemptNoteProps {
  text: string | undefined
  retryAt: Date | undefined
}

/**
 * Why an attempt failed, announced at once in a line reserved for it, and the time until the next attempt, which is
 * not announced.
 */
export function AttemptNote({ text, retryAt }: AttemptNoteProps) {
  const seconds = useSecondsUntil(retryAt)
  return (
    <>
      <p role="alert" className="min-h-5 text-sm text-fail-text">
        {text}
      </p>
      {retryAt && (
        <p role="timer" className="-mt-3 text-sm text-muted">
          {seconds > 0 ? `You can try again in ${seconds} s.` : 'You can try again now.'}
        </p>
      )}
    </>
  )
}

/** For users who notice at the second step that they used another user's name. */
export const BackToPassword = ({ onBack }: { onBack: () => void }) => (
  <p className="text-sm">
    <button type="button" className="link min-h-6 coarse:min-h-11" onClick={onBack}>
      Sign in as someone else
    </button>
  </p>
)
