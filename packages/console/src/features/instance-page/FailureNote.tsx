import { useCurrentUser } from '#/data/current-user.ts'
import { failureText } from '#/features/common/failure-text.ts'
import { failureLines } from '#/features/instances/failure-details.ts'
import type { Instance } from '#/features/instances/queries.ts'
import { Note } from '#/ui/Note.tsx'

/** Why an instance failed, where the server says: the cause, the remedy, and who was notified. */
export function FailureNote({ instance: { runState, failure } }: { instance: Instance }) {
  const { fleetViewer } = useCurrentUser()
  if (runState !== 'failed' || !failure) return null
  const lines = failureLines(failure.details, fleetViewer)
  return (
    <Note kind="fail" title="This instance has failed" className="mb-4">
      <p>{failureText({ message: failure.message, help: failure.nextStep })}</p>
      {lines.length > 0 && (
        <details className="mt-1.5">
          <summary className="w-fit rounded-tag font-medium">Details</summary>
          <ul className="mt-1 list-disc pl-5">
            {lines.map(({ what, text }) => (
              <li key={`${what} ${text}`}>
                <span className="font-mono text-[0.8125rem]">{what}</span>: {text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Note>
  )
}
