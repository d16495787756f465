import { packedFormats } from '@gantry/api/storage/image-format.rules'
import { type Finding, ok, warning } from '../doctor/finding.ts'
import { hostTools } from './host-tools.ts'

const LOOK_MS = 30_000

/** The image formats that this host converts, and the missing packages for the others. */
export async function imageFormatFindings(): Promise<Finding[]> {
  const check = 'image formats'
  const { whyNot, missing } = await hostTools(AbortSignal.timeout(LOOK_MS))
  const converted = packedFormats.filter((format) => !whyNot.has(format))
  const finding = `images are converted from ${converted.join(', ')}`
  if (whyNot.size === 0) return [ok(check, finding)]
  const others = packedFormats.filter((format) => whyNot.has(format))
  const reasons = [...new Set(whyNot.values())].map((why) => why.replace(/^The server/, 'it'))
  const advice =
    missing.length > 0
      ? `Install what is missing (apt-get install ${[...new Set(missing)].join(' ')}), or upload raw images only.`
      : 'Let the user of the server create namespaces (docs/production.md), or upload raw images only.'
  return [warning(check, `${finding}, not from ${others.join(', ')}: ${reasons.join('; ')}`, advice)]
}
