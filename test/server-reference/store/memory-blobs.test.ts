import { createMemoryBlobs } from '../../../server-reference/src/store/memory-blobs.ts';
import { blobsContract } from './blobs-contract.ts';

blobsContract('blobs in memory', async () => createMemoryBlobs());
