import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { formatDate } from '#/ui/format.ts'
import { Note } from '#/ui/Note.tsx'
import { silosDomain } from '../host.ts'
import type { ReadCertificate } from './read-certificate.ts'

type Reader = typeof import('./read-certificate.ts')

interface Reading {
  file: File
  isFor: Reader['isFor']
  certificate: ReadCertificate | undefined
  readAt: Date
}

/** Warns of what the server may refuse about the form's file `cert`, without blocking the form. */
export function FileNotes({ silo }: { silo: string }) {
  const file = useWatch<{ cert?: File }>({ name: 'cert' })
  const [reading, setReading] = useState<Reading>()
  useEffect(() => {
    if (!file) return
    let isWanted = true
    const read = async () => {
      const [{ readCertificate, isFor }, pem] = await Promise.all([
        import('./read-certificate.ts'),
        file.text(),
      ])
      if (isWanted) setReading({ file, isFor, certificate: readCertificate(pem), readAt: new Date() })
    }
    // An unreadable file is refused when the form is sent.
    read().catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [file])
  if (!file || reading?.file !== file) return null
  const { certificate, isFor, readAt } = reading
  if (!certificate)
    return (
      <Note kind="busy" title="Couldn’t parse certificate">
        Choose a file with a certificate in PEM format.
      </Note>
    )
  const { names, notAfter } = certificate
  const domain = silosDomain(location.hostname)
  return (
    <>
      {notAfter <= readAt && (
        <Note kind="busy" title="Certificate expired">
          It expired on {formatDate(notAfter)}.
        </Note>
      )}
      {silo !== '' && !isFor(names, silo, domain) && (
        <Note kind="busy" title="Certificate domain mismatch">
          <p>
            Expected <span className="font-mono">{`${silo}.sys.${domain ?? '…'}`}</span>. The certificate is
            for {names.length === 0 ? 'no host name.' : 'these names:'}
          </p>
          <ul className="font-mono wrap-anywhere">
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </Note>
      )}
    </>
  )
}
