import { readOpenApiDocument } from '@glovebox/openapi/document';

/** The tags of the API document by task, in the order in which a newcomer needs them. */
export const groups = readOpenApiDocument()['x-tagGroups'];
