import type { InputOf, OutputOf } from '@gantry/api/client/client'
import { acsPath } from '@gantry/api/people/saml.rules'
import { toBase64 } from '#/kit/page/bytes.ts'
import { bytesOf, publicBytesOf } from '#/kit/inputs/chosen-file.ts'

type ProviderBody = InputOf<'samlIdentityProviderCreate'>['body']
type UpdateBody = InputOf<'samlProviderUpdate'>['body']
export type MetadataSource = ProviderBody['idpMetadataSource']

export interface ProviderValues {
  name: string
  description: string
  technicalContactEmail: string
  spClientId: string
  acsUrl: string
  hasStandardAcsUrl: boolean
  sloUrl: string
  publicCert: File | undefined
  privateKey: File | undefined
  idpEntityId: string
  groupAttributeName: string
  metadataKind: 'url' | 'xml'
  metadataUrl: string
  metadataXml: File | undefined
}

export const emptyProvider = (acsUrl: string): ProviderValues => ({
  name: '',
  description: '',
  technicalContactEmail: '',
  spClientId: '',
  acsUrl,
  hasStandardAcsUrl: true,
  sloUrl: '',
  publicCert: undefined,
  privateKey: undefined,
  idpEntityId: '',
  groupAttributeName: '',
  metadataKind: 'url',
  metadataUrl: '',
  metadataXml: undefined,
})

/** Where the provider returns users to after signing in, at the address at which users open the console. */
export const standardAcsUrl = (origin: string, silo: string, provider: string): string =>
  `${origin}${acsPath(silo, provider)}`

/** The form of a provider that exists; its metadata and key stay unless new ones are given. */
export const valuesOf = (provider: OutputOf<'samlIdentityProviderView'>): ProviderValues => ({
  ...emptyProvider(provider.acsUrl),
  name: provider.name,
  description: provider.description,
  technicalContactEmail: provider.technicalContactEmail,
  spClientId: provider.spClientId,
  hasStandardAcsUrl: false,
  sloUrl: provider.sloUrl,
  idpEntityId: provider.idpEntityId,
  groupAttributeName: provider.groupAttributeName ?? '',
})

/** A key pair needs both parts or neither. */
export function keyPairProblem({
  publicCert,
  privateKey,
}: Pick<ProviderValues, 'publicCert' | 'privateKey'>): Partial<Record<'publicCert' | 'privateKey', string>> {
  if (publicCert && !privateKey) return { privateKey: 'Private key is required with a public certificate' }
  if (privateKey && !publicCert) return { publicCert: 'Public certificate is required with a private key' }
  return {}
}

const publicBase64Of = async (file: File, label: string): Promise<string> =>
  toBase64(await publicBytesOf(file, label))

/** Blocks of a PEM file that hold a certificate or a key, and not an encrypted key. */
const pemBlocks = {
  publicCert: /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([\sA-Za-z\d+/=]*)-----END/,
  privateKey: /-----BEGIN (?:RSA )?PRIVATE KEY-----([\sA-Za-z\d+/=]*)-----END/,
} as const

/**
 * The DER that the API takes, in base64: that of the file, or of its first such block if it is PEM, as most tools write
 * it. Anything else is sent unchanged, so that the server reports what is wrong.
 */
function derOf(bytes: Uint8Array, part: keyof typeof pemBlocks): string {
  const block = pemBlocks[part].exec(new TextDecoder().decode(bytes))?.[1]
  return block === undefined ? toBase64(bytes) : block.replaceAll(/\s/g, '')
}

/** The source of the provider's metadata; undefined while nothing is entered. */
export async function metadataSource({
  metadataKind,
  metadataUrl,
  metadataXml,
}: Pick<ProviderValues, 'metadataKind' | 'metadataUrl' | 'metadataXml'>): Promise<
  MetadataSource | undefined
> {
  if (metadataKind === 'url') return metadataUrl.trim() ? { type: 'url', url: metadataUrl.trim() } : undefined
  return metadataXml && { type: 'base64_encoded_xml', data: await publicBase64Of(metadataXml, 'Metadata') }
}

const textsOf = (values: ProviderValues) => ({
  name: values.name,
  description: values.description,
  technicalContactEmail: values.technicalContactEmail.trim(),
  spClientId: values.spClientId.trim(),
  acsUrl: values.acsUrl.trim(),
  sloUrl: values.sloUrl.trim(),
  idpEntityId: values.idpEntityId.trim(),
})

async function keyPairOf({ publicCert, privateKey }: ProviderValues) {
  if (!publicCert || !privateKey) return {}
  const signingKeypair = {
    publicCert: derOf(await publicBytesOf(publicCert, 'Public certificate'), 'publicCert'),
    privateKey: derOf(await bytesOf(privateKey), 'privateKey'),
  }
  return { signingKeypair }
}

export async function providerBody(
  values: ProviderValues,
  idpMetadataSource: MetadataSource,
): Promise<ProviderBody> {
  const group = values.groupAttributeName.trim()
  return {
    ...textsOf(values),
    idpMetadataSource,
    ...(group && { groupAttributeName: group }),
    ...(await keyPairOf(values)),
  }
}

/** The request by which the form changes an existing provider. */
export async function updateBody(values: ProviderValues): Promise<UpdateBody> {
  const idpMetadataSource = await metadataSource(values)
  return {
    ...textsOf(values),
    groupAttributeName: values.groupAttributeName.trim(),
    ...(idpMetadataSource && { idpMetadataSource }),
    ...(await keyPairOf(values)),
  }
}
