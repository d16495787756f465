// @chunk apart: seen once for each token, after its form.
import { CopyButton } from '#/ui/CopyButton.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { SecretDialog } from '#/ui/overlays/SecretDialog.tsx'
import { SecretText } from '#/ui/SecretText.tsx'

interface Props {
  name: string
  token: string
  /** A project that it may read, for the example. */
  project: string | undefined
  onClose: () => void
}

/** Shows a new token, which is never shown again. Only `Done` closes it, so that no stray click loses it. */
export function TokenMadeDialog({ name, token, project, onClose }: Props) {
  const path = project === undefined ? '/v1/me' : `/ext/v1/instances?project=${project}&filter=state:failed`
  const example = `curl --fail --silent \\
  --header "Authorization: Bearer $GANTRY_TOKEN" \\
  "${location.origin}${path}"`
  return (
    <SecretDialog title={`Token ${name} is ready`} onClose={onClose}>
      <SecretText label="Access token" text={token} />
      <Note kind="busy">Copy it now. It is not shown again.</Note>
      <p className="text-muted">
        {project === undefined ? 'Try it:' : 'Try it: the instances that have failed.'} Set{' '}
        <code>GANTRY_TOKEN</code> to the token first.
      </p>
      <div className="flex items-start gap-1 rounded-control border border-line bg-sunken px-3 py-2.5">
        <pre className="min-w-0 grow font-mono text-[0.8125rem] whitespace-pre-wrap wrap-anywhere text-strong">
          {example}
        </pre>
        <CopyButton text={example} />
      </div>
    </SecretDialog>
  )
}
