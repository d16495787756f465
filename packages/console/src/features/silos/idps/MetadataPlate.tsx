import { certificateLife } from '@gantry/api/certificate.rules'
import { useState } from 'react'
import { DataItem, DataPlate } from '#/ui/DataPlate.tsx'
import { DateTime } from '#/ui/DateTime.tsx'
import { CertificateLife } from '../certificates/CertificateLife.tsx'
import type { Metadata } from './queries.ts'

const endpointWords: Record<Metadata['endpoints'][number]['service'], string> = {
  single_sign_on: 'Single sign-on',
  single_logout: 'Single logout',
}

/** The last part of a SAML binding's URN: `HTTP-Redirect`. */
const bindingWord = (binding: string): string => binding.split(':').at(-1) ?? binding

/** The contents of an identity provider's metadata. */
export function MetadataPlate({ metadata }: { metadata: Metadata }) {
  const [now] = useState(() => new Date())
  return (
    <DataPlate narrow>
      <DataItem label="Entity in the metadata" wide>
        {metadata.entityId || <span className="text-muted">Not named</span>}
      </DataItem>
      {metadata.certificates.map(({ fingerprint, subject, timeExpires }) => (
        <DataItem key={fingerprint} label="Certificate" wide>
          <span className="min-w-0 basis-full">{subject}</span>
          <CertificateLife life={certificateLife(timeExpires, now)} />
          <span className="text-sm text-muted">
            Expires <DateTime value={timeExpires} />
          </span>
        </DataItem>
      ))}
      {metadata.endpoints.map(({ service, binding, location }) => (
        <DataItem
          key={`${service} ${binding} ${location}`}
          label={`${endpointWords[service]}, ${bindingWord(binding)}`}
          wide
        >
          {location}
        </DataItem>
      ))}
      <DataItem label="Signed requests" wide>
        {metadata.wantsSignedRequests ? 'Required' : 'Not required'}
      </DataItem>
    </DataPlate>
  )
}
