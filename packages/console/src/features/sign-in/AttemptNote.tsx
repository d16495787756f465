import { useSecondsUntil } from '#/ui/use-second.ts'

interface Props {
  text: string | undefined
  retryAt: Date | undefined
}

/**
 * Why an attempt failed, announced at once in a line reserved for it, and the time until the next attempt, which is
 * not announced.
 */
export function AttemptNote({ text, retryAt }: Props) {
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
