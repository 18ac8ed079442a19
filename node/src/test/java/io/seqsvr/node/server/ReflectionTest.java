package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.reflection.v1.ServerReflectionRequest;
import io.vertx.grpc.reflection.v1.ServerReflectionResponse;
import io.vertx.grpc.reflection.v1.ServiceResponse;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Server reflection: generic clients learn what the node serves, in as many questions on one stream as they like. */
@Timeout(20)
class ReflectionTest {
    private static final String V1 = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    private static final String V1ALPHA = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
    private static final String SEQUENCES = "seqsvr/v1/sequences.proto";

    private final TestPort port = new TestPort();
    private final TestClient client = new TestClient(port);

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private static ServerReflectionRequest.Builder question() {
        return ServerReflectionRequest.newBuilder().setHost("node-1");
    }

    private static ServerReflectionResponse ask(GrpcStream stream, ServerReflectionRequest.Builder question) {
        stream.send(question.build());
        var answer = stream.take(ServerReflectionResponse.parser());
        assertEquals(question.build(), answer.getOriginalRequest());
        assertEquals("node-1", answer.getValidHost());
        return answer;
    }

    private ServerReflectionResponse askAlone(ServerReflectionRequest.Builder question) {
        var stream = GrpcStream.open(client, V1);
        var answer = ask(stream, question);
        stream.halfClose();
        assertEquals(GrpcStatus.OK, TestClient.await(stream.ended()));
        return answer;
    }

    private static List<FileDescriptorProto> files(ServerReflectionResponse answer) {
        assertTrue(answer.hasFileDescriptorResponse(), answer::toString);
        return answer.getFileDescriptorResponse().getFileDescriptorProtoList().stream()
                .map(ReflectionTest::file)
                .toList();
    }

    private static FileDescriptorProto file(ByteString bytes) {
        try {
            return FileDescriptorProto.parseFrom(bytes);
        } catch (InvalidProtocolBufferException broken) {
            return fail(broken);
        }
    }

    private static void assertNotFound(String what, ServerReflectionResponse answer) {
        assertEquals(GrpcStatus.NOT_FOUND.code, answer.getErrorResponse().getErrorCode(), answer::toString);
        assertEquals(
                "this node does not describe " + what, answer.getErrorResponse().getErrorMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {V1, V1ALPHA})
    void severalQuestionsOnOneStreamAreAnsweredInTurn(String path) {
        var stream = GrpcStream.open(client, path);
        assertEquals(
                List.of("grpc.health.v1.Health", "seqsvr.v1.Sequences"),
                ask(stream, question().setListServices("*")).getListServicesResponse().getServiceList().stream()
                        .map(ServiceResponse::getName)
                        .toList());
        assertNotFound("nonsense", ask(stream, question().setFileContainingSymbol("nonsense")));
        assertEquals(
                SEQUENCES,
                files(ask(stream, question().setFileContainingSymbol("seqsvr.v1.Sequences")))
                        .get(0)
                        .getName());
        assertEquals(
                SEQUENCES,
                files(ask(stream, question().setFileByFilename(SEQUENCES)))
                        .get(0)
                        .getName());
        stream.halfClose();
        assertEquals(GrpcStatus.OK, TestClient.await(stream.ended()));
    }

    @ParameterizedTest
    @CsvSource({
        "seqsvr.v1.Sequences, seqsvr/v1/sequences.proto",
        "seqsvr.v1.Sequences.Next, seqsvr/v1/sequences.proto",
        "seqsvr.v1.NextRequest, seqsvr/v1/sequences.proto",
        "seqsvr.v1.NextRequest.uid, seqsvr/v1/sequences.proto",
        "seqsvr.v1.Exactness, seqsvr/v1/sequences.proto",
        "grpc.health.v1.HealthCheckResponse.ServingStatus, health.proto",
        "google.rpc.ErrorInfo, google/rpc/error_details.proto",
        "google.rpc.RetryInfo, google/rpc/error_details.proto",
        "google.api.HttpRule, google/api/http.proto",
        "google.api.http, google/api/annotations.proto",
        "google.protobuf.DescriptorProto.ExtensionRange, google/protobuf/descriptor.proto"
    })
    void fileIsFoundByWhatItDeclares(String symbol, String file) {
        var found = files(askAlone(question().setFileContainingSymbol(symbol)));
        assertEquals(file, found.get(0).getName());
    }

    @Test
    void fileComesWithAllThatItImports() {
        var found = files(askAlone(question().setFileByFilename(SEQUENCES)));
        var names = new HashSet<String>();
        found.forEach(file -> names.add(file.getName()));
        found.forEach(file -> assertTrue(names.containsAll(file.getDependencyList()), file::getName));
        assertEquals(found.size(), names.size());
        assertTrue(names.contains("google/protobuf/descriptor.proto"), names::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "seqsvr.v1",
                "seqsvr.v1.Numbers",
                "seqsvr.v1.Sequences.Last",
                "seqsvr.v1.Sequences.Next.x",
                "seqsvr.v1.NextRequest.amount",
                "seqsvr.internal.v1.Store",
                ""
            })
    void symbolThatNoFileDeclaresIsNotFound(String symbol) {
        assertNotFound(symbol, askAlone(question().setFileContainingSymbol(symbol)));
    }

    @Test
    void fileThatIsNotThereIsNotFound() {
        assertNotFound("nonsense.proto", askAlone(question().setFileByFilename("nonsense.proto")));
    }

    @Test
    void typeHasNoExtensionsAndAnEmptyQuestionHasNoAnswer() {
        assertEquals(
                "seqsvr.v1.NextRequest",
                askAlone(question().setAllExtensionNumbersOfType("seqsvr.v1.NextRequest"))
                        .getAllExtensionNumbersResponse()
                        .getBaseTypeName());
        assertNotFound("an empty request", askAlone(question()));
    }

    @Test
    void questionThatIsNoMessageEndsTheStream() {
        var stream = GrpcStream.open(client, V1);
        stream.send(TestClient.frame((byte) 0x0a, (byte) 0x7f));
        assertEquals(GrpcStatus.INVALID_ARGUMENT, TestClient.await(stream.ended()));
    }

    @Test
    void questionThatIsNoMessageEndsTheStreamOfACallerThatHasNoOther() {
        var stream = GrpcStream.open(client, V1);
        stream.send(
                TestClient.frame((byte) 0x0a, (byte) 0x7f).appendBuffer(TestClient.frame((byte) 0x0a, (byte) 0x7f)));
        stream.halfClose();
        assertEquals(GrpcStatus.INVALID_ARGUMENT, TestClient.await(stream.ended()));
    }
}
