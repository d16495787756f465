import { certificateLife } from '@gantry/api/people/certificate.rules'
import * as op from '@gantry/api/client/operations.gen'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { asFailure, type Failure } from '#/data/failure.ts'
import { useOp } from '#/data/use-op.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { CertificateLife } from '../certificates/parts.tsx'
import type { Metadata } from './queries.ts'
import { metadataSource, type ProviderValues } from './values.ts'

type Source = ['metadataKind', 'metadataUrl', 'metadataXml', 'idpEntityId', 'publicCert']

interface Found {
  /** The source that was read; the result does not apply to another one. */
  of: string | File | undefined
  metadata: Metadata
}

/** Reads the metadata before saving, and shows its contents. */
export function MetadataCheck({ silo }: { silo: string }) {
  const form = useFormContext<ProviderValues>()
  const [metadataKind, metadataUrl, metadataXml, entityId, publicCert] = useWatch<ProviderValues, Source>({
    name: ['metadataKind', 'metadataUrl', 'metadataXml', 'idpEntityId', 'publicCert'],
  })
  const check = useOp(op.samlMetadataCheck)
  const [found, setFound] = useState<Found>()
  /** Why the file could not be read. */
  const [unread, setUnread] = useState<Failure>()
  const entered = metadataKind === 'url' ? metadataUrl : metadataXml
  const metadata = found?.of === entered ? found?.metadata : undefined

  async function run(): Promise<void> {
    setFound(undefined)
    setUnread(undefined)
    let source
    try {
      source = await metadataSource({ metadataKind, metadataUrl, metadataXml })
    } catch (error) {
      return setUnread(asFailure(error))
    }
    if (!source) return
    const idpEntityId = entityId.trim()
    const body = { idpMetadataSource: source, ...(idpEntityId && { idpEntityId }) }
    const answer = check.run({ query: { silo }, body })
    // The button's note shows a refusal.
    await answer.then((read) => setFound({ of: entered, metadata: read })).catch(() => undefined)
  }

  const isOther = metadata && metadata.entityId !== '' && metadata.entityId !== entityId.trim()
  return (
    <div className="max-w-form space-y-3">
      <Button
        pending={check.isPending}
        pendingLabel="Checking"
        disabledReason={entered ? undefined : 'Enter a metadata source first'}
        onClick={() => void run()}
      >
        Check metadata
      </Button>
      <div aria-live="polite" className="space-y-3">
        {unread && <ErrorNote errors={[failureText(unread)]} />}
        {check.error && !metadata && !unread && <ErrorNote errors={[failureText(check.error)]} />}
        {metadata && <MetadataPlate metadata={metadata} />}
        {isOther && (
          <Note
            kind="busy"
            action={
              <Button
                onClick={() =>
                  form.setValue('idpEntityId', metadata.entityId, { shouldDirty: true, shouldValidate: true })
                }
              >
                Use this entity ID
              </Button>
            }
          >
            The Entity ID above differs from that of the metadata. Sign-ins are accepted only when both are
            equal.
          </Note>
        )}
        {metadata?.wantsSignedRequests && !publicCert && (
          <Note kind="busy">
            The identity provider accepts signed requests only. Add a public certificate and a private key.
          </Note>
        )}
      </div>
    </div>
  )
}

const endpointWords: Record<Metadata['endpoints'][number]['service'], string> = {
  single_sign_on: 'Single sign-on',
  single_logout: 'Single logout',
}

/** The last part of a SAML binding's URN: `HTTP-Redirect`. */
const bindingWord = (binding: string): string => binding.split(':').at(-1) ?? binding

/** The contents of an identity provider's metadata. */
function MetadataPlate({ metadata }: { metadata: Metadata }) {
  const [now] = useState(() => new Date())
  return (
    <DataPlate narrow>
      <DataItem label="Entity in the metadata" wide>
        {metadata.entityId || <span className="text-muted">Not named</span>}
      </DataItem>
      {metadata.certificates.map(({ fingerprint, subject, timeValidFrom, timeExpires }) => (
        <DataItem key={fingerprint} label="Certificate" wide>
          <span className="min-w-0 basis-full">{subject}</span>
          <CertificateLife life={certificateLife({ from: timeValidFrom, until: timeExpires }, now)} />
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
