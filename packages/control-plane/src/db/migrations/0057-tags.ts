import type { Migration } from './migration.ts'

const tagged = [
  'silo',
  'project',
  'instance',
  'network_interface',
  'affinity_group',
  'anti_affinity_group',
  'sled',
  'vpc',
  'vpc_subnet',
  'vpc_router',
  'router_route',
  'internet_gateway',
  'ip_pool',
  'external_ip',
  'disk',
  'image',
  'snapshot',
]

/**
 * Tags are a column of their object, so that history, entity tags and the recycle bin cover them. The table repeats them
 * for objects that exist, by which they are found and counted; a change writes both.
 */
export const tags: Migration = {
  id: '0057-tags',
  statements: [
    ...tagged.map((table) => `ALTER TABLE ${table} ADD COLUMN tags jsonb`),
    `CREATE TABLE tag (object_id uuid NOT NULL, key text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL,
      kind text NOT NULL, silo_id uuid, project_id uuid, PRIMARY KEY (object_id, key))`,
    `CREATE INDEX tag_project ON tag (project_id, key, value, kind, object_id) WHERE project_id IS NOT NULL`,
    `CREATE INDEX tag_silo ON tag (silo_id, key, value, kind, object_id) WHERE silo_id IS NOT NULL`,
    `CREATE INDEX tag_all ON tag (kind, key, value, object_id)`,
  ],
}
