import { type RawBuilder, sql } from 'kysely'
import type { Database } from './installation.ts'
import type { Ledger } from './ledger.ts'

interface Wrong {
  what: string
}

/** Each statement finds violations, in words. */
const rules: Record<string, RawBuilder<Wrong>> = {
  'change numbers have no gaps': sql`
    SELECT 'given ' || count(seq) || ' of ' || count(*) || ', from ' || min(seq) || ' to ' || max(seq) AS what
    FROM change HAVING count(*) <> count(seq) OR count(*) <> max(seq) - min(seq) + 1`,
  'every state of an object is recorded exactly once': sql`
    SELECT kind || ' ' || object_id AS what FROM change WHERE generation > 0 GROUP BY kind, object_id
    HAVING count(*) <> count(DISTINCT generation) OR count(*) <> max(generation) - min(generation) + 1`,
  'an object is created once, and deleted and restored in turns': sql`
    SELECT c.kind || ' ' || c.object_id || ': ' || c.created || ' created, ' || c.restored || ' restored, ' || c.deleted
      || ' deleted' AS what
    FROM (SELECT kind, object_id,
      count(*) FILTER (WHERE op = 'create' AND operation <> 'recycled_item_restore') AS created,
      count(*) FILTER (WHERE op = 'create' AND operation = 'recycled_item_restore') AS restored,
      -- What is deleted for good has nothing of before.
      count(*) FILTER (WHERE op = 'delete' AND before IS NOT NULL) AS deleted
      FROM change WHERE op <> 'update' GROUP BY kind, object_id) c
    -- A restore also creates what its object needs anew, such as the route to a subnet.
    WHERE c.created > 1 OR c.created + c.restored NOT IN (c.deleted, c.deleted + 1)`,
  'work has ended': sql`
    SELECT kind || ' ' || args || ' after ' || attempts || ' attempts' AS what FROM job WHERE state = 'pending'`,
  'no work was abandoned': sql`
    SELECT kind || ' ' || args || ' ' || failure AS what FROM job WHERE state = 'failed'`,
  'sled counters match the instances on the sled': sql`
    SELECT u.sled_id || ' counts ' || u.threads || ' of ' || coalesce(v.threads, 0) AS what FROM sled_usage u
    LEFT JOIN (SELECT sled_id, sum(ncpus) AS threads, sum(memory) AS memory FROM vmm WHERE time_gone IS NULL
      GROUP BY sled_id) v ON v.sled_id = u.sled_id
    WHERE u.threads <> coalesce(v.threads, 0) OR u.memory <> coalesce(v.memory, 0)`,
  'a running instance has exactly one machine process': sql`
    SELECT i.name || ' is ' || i.run_state || ' with ' || count(v.id) AS what FROM instance i
    LEFT JOIN vmm v ON v.instance_id = i.id AND v.time_gone IS NULL
    GROUP BY i.id HAVING count(v.id) <> (CASE WHEN i.run_state = 'running' AND i.time_deleted IS NULL THEN 1 ELSE 0 END)`,
  'the rack runs exactly the instances that should run': sql`
    SELECT coalesce(s.id, v.id)::text || ' ' || coalesce(s.phase, 'is not there') AS what FROM simulated_vm s
    FULL JOIN (SELECT id FROM vmm WHERE time_gone IS NULL) v ON v.id = s.id
    WHERE s.id IS NULL OR v.id IS NULL OR s.phase <> 'running'`,
  'project and silo counters match their resources': sql`
    WITH used AS (
      SELECT i.project_id, v.ncpus AS cpus, v.memory, 0::int8 AS storage FROM vmm v
        JOIN instance i ON i.id = v.instance_id WHERE v.time_gone IS NULL
      UNION ALL SELECT project_id, 0, 0, size FROM disk WHERE time_deleted IS NULL
      UNION ALL SELECT project_id, 0, 0, size FROM snapshot WHERE time_deleted IS NULL
      UNION ALL SELECT project_id, 0, 0, ceil(size / 1073741824.0)::int8 * 1073741824 FROM image_upload
        WHERE time_deleted IS NULL AND state IN ('open', 'completing')
    ), sums AS (
      SELECT project_id AS id, sum(cpus) AS cpus, sum(memory) AS memory, sum(storage) AS storage FROM used GROUP BY 1
      UNION ALL SELECT p.silo_id, sum(cpus), sum(memory), sum(storage) FROM used
        JOIN project p ON p.id = used.project_id GROUP BY 1
    )
    SELECT p.kind || ' ' || p.id || ' counts ' || p.cpus || ' ' || p.memory || ' ' || p.storage || ', there are '
      || coalesce(s.cpus, 0) || ' ' || coalesce(s.memory, 0) || ' ' || coalesce(s.storage, 0) AS what
    FROM provisioning p LEFT JOIN sums s ON s.id = p.id
    WHERE (p.cpus, p.memory, p.storage) IS DISTINCT FROM
      (coalesce(s.cpus, 0)::int8, coalesce(s.memory, 0)::int8, coalesce(s.storage, 0)::int8)`,
  'an address is allocated once': sql`
    SELECT ip AS what FROM external_ip WHERE time_deleted IS NULL GROUP BY ip_pool_id, ip, first_port
    HAVING count(*) > 1
    UNION ALL SELECT ip FROM network_interface WHERE time_deleted IS NULL GROUP BY subnet_id, ip HAVING count(*) > 1`,
  'resources that end with their instance are deleted': sql`
    WITH gone AS (SELECT id FROM instance WHERE time_deleted IS NOT NULL)
    SELECT 'address ' || e.ip AS what FROM external_ip e JOIN gone ON gone.id = e.instance_id WHERE e.time_deleted IS NULL
    UNION ALL SELECT 'interface ' || n.ip FROM network_interface n JOIN gone ON gone.id = n.instance_id
      WHERE n.time_deleted IS NULL
    UNION ALL SELECT 'disk ' || d.name FROM disk d JOIN gone ON gone.id = d.instance_id WHERE d.time_deleted IS NULL
    UNION ALL SELECT 'member ' || m.instance_id FROM anti_affinity_member m JOIN gone ON gone.id = m.instance_id
    UNION ALL SELECT 'serial line ' || g.vmm_id FROM guest g LEFT JOIN simulated_vm s ON s.id = g.vmm_id
      WHERE s.id IS NULL`,
  'the rack runs exactly the probes that exist, each with its addresses': sql`
    SELECT coalesce(s.id, p.id)::text AS what FROM simulated_probe s
    FULL JOIN (SELECT id FROM probe WHERE time_deleted IS NULL) p ON p.id = s.id
    LEFT JOIN network_interface n ON n.probe_id = p.id AND n.time_deleted IS NULL
    LEFT JOIN external_ip e ON e.probe_id = p.id AND e.time_deleted IS NULL
    WHERE s.id IS NULL OR p.id IS NULL OR n.ip IS DISTINCT FROM s.ip OR e.ip IS DISTINCT FROM s.external_ip`,
  'a deletion takes everything with it, and each object once': sql`
    WITH d AS (SELECT * FROM deletion d WHERE NOT EXISTS (SELECT 1 FROM restoration r WHERE r.deletion_id = d.id))
    SELECT 'deletion of ' || d.object_name || ' is ' || d.state AS what FROM deletion d WHERE d.state <> 'done'
    UNION ALL SELECT 'instance ' || i.name || ' of ' || d.object_name FROM d
      JOIN instance i ON i.project_id = d.object_id AND i.time_deleted IS NULL
    UNION ALL SELECT 'project ' || d.object_name FROM d
      JOIN project p ON p.id = d.object_id AND p.time_deleted IS NULL
    UNION ALL SELECT r.request_id || ' twice' FROM deletion d
      JOIN audit r ON r.request_id LIKE (d.request ->> 'id') || '/%' GROUP BY r.request_id HAVING count(*) > 1`,
  'a restoration brings everything back, and each object once': sql`
    SELECT 'restoration of ' || t.object_name || ' is ' || t.state || ', ' || t.done || ' of ' || t.total AS what
      FROM restoration t WHERE t.state <> 'done' OR t.failed > 0 OR t.done <> t.total
    UNION ALL SELECT 'project ' || t.object_name FROM restoration t
      JOIN project p ON p.id = t.object_id AND p.time_deleted IS NOT NULL
    UNION ALL SELECT i.kind || ' ' || i.name || ' of ' || t.object_name FROM restoration t
      JOIN recycled i ON i.deletion_id = t.deletion_id
    UNION ALL SELECT r.request_id || ' twice' FROM restoration t
      JOIN audit r ON r.request_id LIKE (t.request ->> 'id') || '/%' GROUP BY r.request_id HAVING count(*) > 1`,
  'what the bin holds is deleted, and counted': sql`
    SELECT r.kind || ' ' || r.name AS what FROM recycled r JOIN disk d ON d.id = r.object_id AND d.time_deleted IS NULL
    UNION ALL SELECT r.kind || ' ' || r.name FROM recycled r
      JOIN external_ip e ON e.id = r.object_id AND e.time_deleted IS NULL
    UNION ALL SELECT 'address ' || r.ip FROM recycled r
      LEFT JOIN external_ip e ON e.id = r.id AND e.time_deleted IS NULL WHERE r.ip IS NOT NULL AND e.id IS NULL
    UNION ALL SELECT p.id || ' counts ' || p.recycled FROM provisioning p
      WHERE p.recycled <> coalesce((SELECT sum(r.storage) FROM recycled r WHERE r.silo_id = p.id), 0)
        AND EXISTS (SELECT 1 FROM silo s WHERE s.id = p.id)`,
  'each item of a bulk action was done once': sql`
    SELECT a.action || ' ' || a.id || ': ' || i.items || ' items, ' || count(r.id) || ' records' AS what
    FROM instance_action a
    JOIN (SELECT o.action_id, count(*) FILTER (WHERE o.state = 'pending') AS pending,
      -- Items of instances that no longer existed at the request failed at once, and have no name. What is to be created
      -- has no id before.
      count(*) FILTER (WHERE (o.instance_id IS NOT NULL OR b.action = 'create')
        AND (o.name IS NOT NULL OR o.state <> 'failed')) AS items
      FROM instance_action_item o JOIN instance_action b ON b.id = o.action_id GROUP BY o.action_id) i
      ON i.action_id = a.id
    LEFT JOIN audit r ON r.request_id LIKE (a.request ->> 'id') || '/%'
    GROUP BY a.id, i.items, i.pending HAVING count(r.id) <> i.items OR i.pending > 0 OR a.time_completed IS NULL`,
}

/** Contradictions within the tables, and with responses to clients, once everything has settled. */
export async function tableProblems(db: Database, ledger: Ledger, contents: string[]): Promise<string[]> {
  const wrong: string[] = []
  for (const [rule, statement] of Object.entries(rules))
    for (const { what } of (await statement.execute(db)).rows) wrong.push(`not true that ${rule}: ${what}`)
  wrong.push(...(await auditProblems(db, ledger)), ...(await contentProblems(db, contents)))
  return wrong
}

/** Each answered request has one record, with its status. */
async function auditProblems(db: Database, { answered }: Ledger): Promise<string[]> {
  const { rows } = await sql<{ request_id: string; statuses: number[] }>`
    SELECT request_id, array_agg(http_status_code) AS statuses FROM audit GROUP BY request_id`.execute(db)
  const recorded = new Map(rows.map(({ request_id, statuses }) => [request_id, statuses.join(' ')]))
  return answered
    .filter(({ request, status }) => recorded.get(request) !== String(status))
    .map(({ request, status }) => `request ${request} answered ${status}, recorded ${recorded.get(request)}`)
}

/** Every content is referenced, and every referenced content exists. */
async function contentProblems(db: Database, contents: string[]): Promise<string[]> {
  const { rows } = await sql<{ content_id: string; whose: string; shows: boolean }>`
    SELECT content_id, 'disk ' || name AS whose, time_deleted IS NULL AS shows FROM disk
    UNION ALL SELECT content_id, 'snapshot ' || name, time_deleted IS NULL FROM snapshot
    UNION ALL SELECT content_id, 'image ' || name, time_deleted IS NULL FROM image
    UNION ALL SELECT content_id, 'upload ' || name || ', which was ' || state,
      time_deleted IS NULL AND state IN ('open', 'completing') FROM image_upload
    UNION ALL SELECT content_id::text, 'repository upload ' || id || ', which was ' || state,
      time_deleted IS NULL AND state IN ('open', 'checking') FROM update_upload
    UNION ALL SELECT content_id::text, 'support bundle ' || id, time_deleted IS NULL FROM support_bundle
      WHERE content_id IS NOT NULL
    UNION ALL SELECT content_id, kind || ' in the recycle bin ' || name, true FROM recycled
      WHERE content_id IS NOT NULL`.execute(db)
  const shown = new Set(rows.filter(({ shows }) => shows).map((row) => row.content_id))
  const kept = new Set(contents)
  const whose = (id: string): string =>
    rows
      .filter(({ content_id }) => content_id === id)
      .map((row) => row.whose)
      .join(', ')
  const { rows: jobs } = await sql<{ content_id: string; what: string }>`
    SELECT args ->> 'content_id' AS content_id, kind || ' ' || state || ' ' || coalesce(failure::text, '') AS what
    FROM job ORDER BY time_created`.execute(db)
  const workOn = (id: string): string =>
    jobs.flatMap(({ content_id, what }) => (content_id === id ? [what.trim()] : [])).join(', ')
  return [
    ...[...shown].filter((id) => !kept.has(id)).map((id) => `the bytes of ${whose(id)} (${id}) are missing`),
    ...[...kept]
      .filter((id) => !shown.has(id))
      .map((id) => `the bytes of ${whose(id)} (${id}) are left over after ${workOn(id)}`),
  ]
}
