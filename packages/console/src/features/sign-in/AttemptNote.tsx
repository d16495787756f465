import { useSecondsUntil } from '../../ui/use-second.ts'

interface Props {
  text: string | undefined
  retryAt: Date | undefined
}

/** Why an attempt failed, read out at once, and how long to wait for the next, which is not. */
export function AttemptNote({ text, retryAt }: Props) {
  const seconds = useSecondsUntil(retryAt)
  return (
    <div className="text-sm empty:hidden">
      <p role="alert" className="text-fail-text empty:hidden">
        {text}
      </p>
      {retryAt && (
        <p role="timer" className="text-muted">
          {seconds > 0 ? `You can try again in ${seconds} s.` : 'You can try again now.'}
        </p>
      )}
    </div>
  )
}
