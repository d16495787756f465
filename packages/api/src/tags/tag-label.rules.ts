/** The name of a tag in Prometheus, whose labels have letters, digits and underscores. */
export const tagLabel = (key: string): string => `tag_${key.replaceAll(/[^a-z0-9]/g, '_')}`
