import { useId } from 'react'
import { Button } from '#/ui/Button.tsx'
import { CopyButton, useCopied } from '#/ui/CopyButton.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const QrCode = lazyPart(() => import('./QrCode.tsx'), 'QrCode')

interface Props {
  secret: string
  uri: string
}

/** The secret for an authenticator app, by camera or typed. */
export function TotpSecret({ secret, uri }: Props) {
  const labelId = useId()
  return (
    <>
      <p className="text-muted">Scan the code with your authenticator app, or enter the key by hand.</p>
      <div className="grid min-h-44 place-items-center">
        <QrCode text={uri} label="QR code for your authenticator app" />
      </div>
      <div role="group" aria-labelledby={labelId}>
        <div id={labelId} className="mb-1 font-medium text-strong">
          Key
        </div>
        <p className="font-mono text-[0.8125rem] text-strong">
          {/* Grouped for typing; copied in one piece for pasting. */}
          {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} <CopyButton text={secret} />
        </p>
      </div>
    </>
  )
}

/** Shown once, for the user to keep elsewhere. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const [isCopied, copy] = useCopied()
  return (
    <>
      <p className="text-muted">
        Each code signs you in once without your second factor. Store them somewhere safe; they are not shown
        again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))] gap-x-4 gap-y-1 rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] text-strong"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button block size="lg" onClick={() => void copy(codes.join('\n'))}>
        <span aria-live="polite">{isCopied ? 'Copied' : 'Copy all'}</span>
      </Button>
    </>
  )
}

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
