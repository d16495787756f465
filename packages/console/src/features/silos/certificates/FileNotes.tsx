import {
  browserKeysInWords,
  canBrowsersUse,
  certificateLife,
  placeInChain,
  spanOf,
} from '@gantry/api/people/certificate.rules'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { formatDate } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { silosDomain } from '../host.ts'
import type { ReadCertificate } from './read-certificate.ts'

type Reader = typeof import('./read-certificate.ts')

interface Reading {
  file: File
  isFor: Reader['isFor']
  /** The server's own certificate first; empty if none could be read. */
  chain: readonly ReadCertificate[]
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
      const [{ readChain, isFor }, pem] = await Promise.all([import('./read-certificate.ts'), file.text()])
      if (isWanted) setReading({ file, isFor, chain: readChain(pem), readAt: new Date() })
    }
    // An unreadable file is refused when the form is sent.
    read().catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [file])
  if (!file || reading?.file !== file) return null
  const { chain, isFor, readAt } = reading
  const [own] = chain
  if (!own)
    return (
      <Note kind="busy" title="Couldn’t parse certificate">
        Choose a file with a certificate in PEM format.
      </Note>
    )
  const { from, until } = spanOf(chain)
  const life = certificateLife({ from, until }, readAt)
  const domain = silosDomain(location.hostname)
  const place = silo === '' ? 0 : chain.findIndex(({ names }) => isFor(names, silo, domain))
  return (
    <>
      {life === 'expired' && (
        <Note kind="busy" title="Certificate expired">
          It expired on {formatDate(until)}.
        </Note>
      )}
      {life === 'pending' && (
        <Note kind="busy" title="Certificate not valid yet">
          It is valid from {formatDate(from)}, and not used before then.
        </Note>
      )}
      {own.key !== '' && !canBrowsersUse(own.key) && (
        <Note kind="busy" title="Browsers cannot use this key">
          Its key is {own.key}. Browsers get another certificate of the silo, if there is one with{' '}
          {browserKeysInWords}.
        </Note>
      )}
      {place > 0 && (
        <Note kind="busy" title="Chain in the wrong order">
          The {placeInChain(place)} of the file is for this silo. Put that one first, then the others in
          order.
        </Note>
      )}
      {place < 0 && (
        <Note kind="busy" title="Certificate domain mismatch">
          <p>
            Expected <span className="font-mono">{`${silo}.sys.${domain ?? '…'}`}</span>. The certificate is
            for {own.names.length === 0 ? 'no host name.' : 'these names:'}
          </p>
          <ul className="font-mono wrap-anywhere">
            {own.names.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </Note>
      )}
    </>
  )
}
