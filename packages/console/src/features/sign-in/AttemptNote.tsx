import { useSecondsUntil } from '../../ui/use-second.ts'

interface Props {
  text: string | undefined
  retryAt: Date | undefined
}

/** Why an attempt failed, read out at once, and how long to wait for the next, which is not. */
export function AttemptNote({ text, retryAt }: Props) {
  const seconds = useSecondsUntil(retryAt)
  return (
    <>
      <p role="alert" className="text-sm text-fail-text empty:hidden">
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
