import { useId } from 'react'
import { CopyButton } from '#/ui/CopyButton.tsx'
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
