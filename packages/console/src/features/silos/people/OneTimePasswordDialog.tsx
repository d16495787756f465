import { Button } from '#/ui/Button.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import type { Issued } from './queries.ts'

/** Shows a one-time password, which is never shown again. Only `Done` closes it, so that no stray click loses it. */
export function OneTimePasswordDialog({ silo, name, password, onClose }: Issued & { onClose: () => void }) {
  return (
    <Dialog
      title="One-time password"
      onRequestClose={(reason) => {
        if (reason !== 'overlay') onClose()
      }}
      footer={
        <Button size="lg" kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>
        Give this password to <strong>{name}</strong> of silo <strong>{silo}</strong>. It works for one
        sign-in, at which they must choose their own.
      </p>
      <p
        aria-label="One-time password"
        className="flex items-center gap-1 rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] wrap-anywhere text-strong"
      >
        <span className="min-w-0 grow" data-testid="one-time-password">
          {password}
        </span>
        <CopyButton text={password} />
      </p>
      <Note kind="busy">Copy it now. It is not shown again.</Note>
    </Dialog>
  )
}
