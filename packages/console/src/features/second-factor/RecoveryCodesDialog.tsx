import { Button } from '#/ui/Button.tsx'
import { Dialog } from '#/ui/Dialog.tsx'
import { RecoveryCodes } from './set-up-parts.tsx'

/** A click outside does not close it, because the codes are not shown again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      title="Recovery codes"
      onRequestClose={(reason) => reason !== 'overlay' && onClose()}
      footer={
        <Button size="lg" kind="primary" onClick={onClose}>
          I have saved them
        </Button>
      }
    >
      <div className="space-y-4">
        <RecoveryCodes codes={codes} />
      </div>
    </Dialog>
  )
}
