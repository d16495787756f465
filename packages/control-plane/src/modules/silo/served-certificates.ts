import { siloDnsName } from '@gantry/api/people/silo.rules'
import type { SiloCertificate } from '../../environment.ts'
import type { Services } from '../../context/services.ts'

/** The certificates of existing silos for their host names. Keys are opened only when about to be used. */
export async function siloCertificates(services: Services): Promise<SiloCertificate[]> {
  const { db, dnsZone } = services
  const rows = await db
    .selectFrom('certificate')
    .innerJoin('silo', 'silo.id', 'certificate.silo_id')
    .select(['certificate.id', 'silo.name as silo'])
    .where('certificate.service', '=', 'external_api')
    .where('certificate.time_deleted', 'is', null)
    .where('silo.time_deleted', 'is', null)
    .orderBy('certificate.time_created', 'desc')
    .orderBy('certificate.id')
    .execute()
  return rows.map(({ id, silo }) => ({
    id,
    host: siloDnsName(silo, dnsZone),
    read: () => readPair(services, id),
  }))
}

async function readPair({ db, seal }: Services, id: string): ReturnType<SiloCertificate['read']> {
  const row = await db
    .selectFrom('certificate')
    .innerJoin('certificate_key', 'certificate_key.certificate_id', 'certificate.id')
    .select(['certificate.cert', 'certificate_key.key'])
    .where('certificate.id', '=', id)
    .executeTakeFirst()
  return row && { cert: row.cert, key: await seal.open(row.key) }
}
